"""The C kernels. Everything else about the build is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("src/kernels")

setup(
    ext_modules=[
        Extension(
            "otherwords._kernels",
            sources=sorted(str(path) for path in KERNELS.glob("*.c")),
            depends=sorted(str(path) for path in KERNELS.glob("*.h")),
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            extra_compile_args=["-O3", "-std=c11"],
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
