"""Headless Chromium over WebDriver, with nothing but the standard library.

Debian's packages `chromium`, `chromium-driver` and `fonts-inter` are installed where they are missing and apt-get is at hand.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
]
# The key under which WebDriver hands out elements.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def install():
    """Makes sure that both commands and the font of the pages are there: with another font, other labels have room."""
    has_font = pathlib.Path("/usr/share/fonts/opentype/inter").exists()
    if shutil.which("chromium") and shutil.which("chromedriver") and has_font:
        return
    if not shutil.which("apt-get"):
        raise SystemExit("chromium and chromedriver are needed, and there is no apt-get to install them")
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    wanted = ["chromium", "chromium-driver", "fonts-inter"]
    subprocess.run(["apt-get", "update", "-q"], env=environment, **quiet)
    subprocess.run(["apt-get", "install", "-q", "-y", "--no-install-recommends", *wanted], env=environment, **quiet)


class Refused(Exception):
    """What the browser would not do, and why."""


class Browser:
    """One fresh browser with one window. Use it in a `with`."""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="lookalike-browser-")
        # Port 0: the driver chooses a free one and says which.
        self.log = open(os.path.join(self.profile, "driver.log"), "w+")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=self.log, stderr=subprocess.STDOUT
        )
        try:
            self.address = f"http://127.0.0.1:{self.port()}"
            options = {
                "binary": shutil.which("chromium"),
                "args": [*ARGUMENTS, f"--user-data-dir={self.profile}/profile"],
            }
            wanted = {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }
            answer = self.request("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = answer["sessionId"]
            # Away from the page that greets in a new window, which has requests of its own.
            self.send("POST", "/url", {"url": "about:blank"})
        except BaseException:
            self.driver.kill()
            raise
        return self

    def __exit__(self, *_):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()
            shutil.rmtree(self.profile, ignore_errors=True)

    def port(self):
        for _ in range(200):
            self.log.seek(0)
            text = self.log.read()
            if "successfully on port" in text:
                return int(text.split("successfully on port")[1].split(".")[0])
            if self.driver.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"chromedriver does not start:\n{text}")

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        # The driver is on this machine, whatever proxy the environment names.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Refused(f"{value['error']}: {value['message']}") from None

    def send(self, method, path, body=None):
        return self.request(method, f"/session/{self.session}{path}", body)

    def devtools(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path, unfold=True):
        """Opens a file and all that is folded in it, and waits until all of it is there, which the driver does not do for
        pages without scripts."""
        self.send("POST", "/url", {"url": "file://" + os.path.abspath(path)})
        for _ in range(600):
            if self.script("return document.readyState") == "complete":
                if unfold:
                    self.script("for (const one of document.querySelectorAll('details')) one.open = true")
                return
            time.sleep(0.05)
        raise SystemExit(f"{path} does not load")

    def script(self, text, *arguments):
        """Runs the body of a function in the page."""
        return self.send("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def type(self, selector, keys):
        """Focuses an element and presses keys, as a user does."""
        found = self.send("POST", "/element", {"using": "css selector", "value": selector})
        self.send("POST", f"/element/{found[ELEMENT]}/value", {"text": keys})

    def messages(self, kind):
        """What was logged since the last time: of the kind `browser` or `performance`."""
        return self.send("POST", "/se/log", {"type": kind})

    def size(self, width, height, scale=1, phone=False):
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone
        )

    def media(self, scheme="light", medium=""):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.devtools("Emulation.setEmulatedMedia", media=medium, features=[feature])

    def scripts(self, allowed):
        self.devtools("Emulation.setScriptExecutionDisabled", value=not allowed)

    def picture(self, path, whole=True, part=None):
        """A PNG of the whole page, of what the window shows, or of a part: left, top, width and height on the page."""
        options = {"format": "png"}
        if part:
            clip = dict(zip(("x", "y", "width", "height"), part), scale=1)
            options.update(captureBeyondViewport=True, clip=clip)
        elif whole:
            box = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": box["width"], "height": box["height"], "scale": 1}
            options.update(captureBeyondViewport=True, clip=clip)
        taken = self.devtools("Page.captureScreenshot", **options)
        with open(path, "wb") as file:
            file.write(base64.b64decode(taken["data"]))

    def pdf(self):
        """The page printed on A4."""
        page = {"page": {"width": 21.0, "height": 29.7}, "background": False}
        return base64.b64decode(self.send("POST", "/print", page))
