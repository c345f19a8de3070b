// A browser starts no worker for a page that was opened from a folder. There, the search runs in a hidden frame.
"use strict";

if (location.protocol === "file:") {
  globalThis.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #loaded;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const { contentWindow: scope, contentDocument: page } = this.#frame;
      page.open(); // otherwise Firefox puts another empty page in its place
      page.write("<!doctype html><body>");
      page.close();
      scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.#loaded = new Promise((resolve, reject) => {
        const script = page.createElement("script");
        script.addEventListener("load", resolve);
        script.addEventListener("error", reject);
        script.src = url;
        page.body.append(script);
      });
    }

    async postMessage(data) {
      await this.#loaded;
      this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
