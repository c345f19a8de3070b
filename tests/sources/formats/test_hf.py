"""Datasets of the Hugging Face Hub on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa

from otherwords.errors import DataError
from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import pairs, read, recognised


def test_what_save_to_disk_left(fixtures: Path) -> None:
    results = pairs(fixtures / "hf" / "saved")
    assert [(pair.id, pair.label, pair.meta) for pair in results] == [
        ("a", "3", {"split": "train"}),
        ("b", "4<", {"split": "train", "note": "Überschrift"}),
        ("c", "4", {"split": "test"}),
    ]
    assert results[0].scores == {"given": 0.5}


def test_a_repository_of_the_hub(fixtures: Path) -> None:
    results = pairs(fixtures / "hf" / "hub")
    assert [(pair.id, pair.text1, pair.label, pair.meta["split"]) for pair in results] == [
        ("data/train-00000-of-00001:1", "Die Tür klemmt.", "1", "train"),
        ("data/train-00000-of-00001:2", "Licht aus!", "0", "train"),
        ("data/test:1", "Guten Tag.", "1", "test"),
    ]


def test_without_configuration_the_file_names_tell_the_splits(fixtures: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    shutil.copytree(fixtures / "hf" / "hub", folder)
    (folder / "README.md").write_text("# No front matter\n")
    assert pairs(folder) == pairs(fixtures / "hf" / "hub")


def test_several_configurations(fixtures: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    shutil.copytree(fixtures / "hf" / "hub", folder)
    first, second = "- config_name: de\n  data_files: data/train-*\n", "- config_name: {}\n  data_files: data/test*\n"
    configs = f"---\nconfigs:\n{first}{second}---\n"
    (folder / "README.md").write_text(configs.format("fr"))
    with raises("no-default-configuration"):
        pairs(folder)
    (folder / "README.md").write_text(configs.format("default"))
    assert [pair.text1 for pair in pairs(folder)] == ["Guten Tag."]
    (folder / "README.md").write_text(configs.format("fr").replace("de\n", "de\n  default: true\n"))
    assert [pair.text1 for pair in pairs(folder)] == ["Die Tür klemmt.", "Licht aus!"]


def test_a_folder_of_parquet(fixtures: Path, tmp_path: Path) -> None:
    for part in ("test", "train"):
        write_records([Pair(id=part, text1="a", text2="b", label="1")], tmp_path / f"{part}.parquet")
    assert recognised(tmp_path) == "hf"
    assert [(pair.id, pair.meta["split"]) for pair in pairs(tmp_path)] == [("train", "train"), ("test", "test")]


def test_nothing_leads_out_of_the_folder(fixtures: Path, tmp_path: Path) -> None:
    hub, saved = tmp_path / "hub", tmp_path / "saved"
    shutil.copytree(fixtures / "hf" / "hub", hub)
    (hub / "README.md").write_text("---\nconfigs:\n- config_name: default\n  data_files: ../secret/*.jsonl\n---\n")
    with raises("not-a-dataset"):
        pairs(hub)
    shutil.copytree(fixtures / "hf" / "saved", saved)
    for name in ("../hub", "", "missing", "x\0"):
        (saved / "dataset_dict.json").write_text(json.dumps({"splits": [name]}))
        with raises("missing-file"):
            pairs(saved)


def test_other_nouns_and_no_splits(tmp_path: Path) -> None:
    records = [Judgement(id="1", pair="a", value="4>s", annotator="x", round=2), Judgement(id="2", pair="b", value=[1])]
    write_records(records, tmp_path / "out", "hf")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "data-00000-of-00001.arrow",
        "dataset_info.json",
        "state.json",
    ]
    assert read(tmp_path / "out", noun="judgements")[0] == records
    assert recognised(tmp_path / "out") == "hf"
    state = json.loads((tmp_path / "out" / "state.json").read_bytes())
    assert state["_data_files"] == [{"filename": "data-00000-of-00001.arrow"}]
    with pa.OSFile(str(tmp_path / "out" / "data-00000-of-00001.arrow")) as stream:
        schema = pa.ipc.open_stream(stream).schema
    assert json.loads(schema.metadata[b"huggingface"])["info"]["features"]["round"] == {
        "dtype": "int64",
        "_type": "Value",
    }


def test_many_rows_and_late_splits(tmp_path: Path) -> None:
    records = [
        Pair(id=str(n), text1=f"a {n}", text2=f"b {n}", meta={"split": "test" if n % 3 else "train"})
        for n in range(3500)
    ]
    write_records(records, tmp_path / "out", "hf")
    assert sorted(pairs(tmp_path / "out"), key=lambda pair: int(pair.id)) == records


def test_a_folder_with_files_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with raises("folder-not-empty"):
        write_records([], tmp_path, "hf")
    with raises("folder-needed"):
        write_records([], "-", "hf")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_nothing_is_left_of_a_folder_that_failed(tmp_path: Path) -> None:
    def failing() -> object:
        yield Pair(id="1", text1="a", text2="b")
        raise DataError("the source broke")

    with raises("unspecified"):
        write_records(failing(), tmp_path / "out", "hf")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_empty_and_damaged_folders(tmp_path: Path, fixtures: Path) -> None:
    with raises("missing-file"):
        pairs(tmp_path, "hf")
    folder = tmp_path / "saved"
    shutil.copytree(fixtures / "hf" / "saved", folder)
    (folder / "train" / "data-00000-of-00001.arrow").write_bytes(b"no arrow")
    with raises("damaged-file"):
        pairs(folder)
    with raises("folder-needed"):
        pairs(fixtures / "hf" / "hub" / "README.md", "hf")
