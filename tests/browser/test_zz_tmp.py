from tests.browser.reports import *
def test_x(visit, served):
    put_news(served.folder); put_scripts(served.folder)
    page=visit("anna","/extract/storm"); page.wait_for_selector("#pairs li")
    page.locator("#text1").focus()
    for k in ["ArrowDown"]*5+["Shift+ArrowRight"]*6: page.keyboard.press(k)
    page.keyboard.press("Tab")
    for k in ["ArrowDown"]*3+["Shift+ArrowRight"]*6: page.keyboard.press(k)
    page.screenshot(path="/tmp/e1.png")
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    page.wait_for_selector('#saved[data-state="saved"]')
    page.screenshot(path="/tmp/e2.png")
