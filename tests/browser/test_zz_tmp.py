from tests.browser.reports import *
from tests.browser import test_extract as t
from tests.browser.test_extract import opened_page, tab_to, press, until, extracted, SAVED, drag, chosen
def test_x(visit, served):
    seen=[]
    def v(*a, **k):
        page=visit(*a, **k); seen.append(page)
        page.on("request", lambda r: print("REQ", r.method, r.url) if "api" in r.url else None)
        page.on("response", lambda r: print("RES", r.status, r.url) if "api" in r.url else None)
        return page
    import contextlib
    for f in (t.test_by_keys_alone_with_emoji_and_accents, t.test_by_the_mouse_alone):
        try: f(v, served)
        except BaseException as e: print("FAILED", str(e)[:200])
        page=seen[-1]
        print(page.url, page.locator("#why").text_content(), page.locator("#refusals").text_content())
        page.screenshot(path=f"/tmp/{f.__name__[:12]}.png")
        import otherwords
        from sqlalchemy import delete
        with opened(served.folder) as project:
            print(row_(project))
        break
def row_(project):
    from tests.annotate.reading import rows
    from otherwords.project import schema
    return [(r["id"],r["state"],r["text1"]) for r in rows(project, schema.pairs) if r["method"]=="extract"]
