# SPDX-License-Identifier: MIT
"""A browser without a window, driven by the WebDriver protocol. Needs chromium and chromedriver."""
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'


def is_there():
   return bool(shutil.which('chromedriver') and (shutil.which('chromium') or shutil.which('chromium-browser')))


def free_port():
   with socket.socket() as listener:
      listener.bind(('127.0.0.1', 0))
      return listener.getsockname()[1]


class Browser:
   def __init__(self, width=1600, height=1000):
      self.folder = tempfile.mkdtemp(prefix='browser-')
      port = free_port()
      self.base = f'http://127.0.0.1:{port}'
      self.session = None
      self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
      self.driver = subprocess.Popen(['chromedriver', f'--port={port}'], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': self.folder})
      self.wait_for_driver()
      arguments = ['--headless=new', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
                   f'--window-size={width},{height}', f'--user-data-dir={self.folder}/profile', '--no-first-run',
                   '--disable-background-networking', '--disable-component-update', '--disable-sync']
      if os.geteuid() == 0:
         arguments.append('--no-sandbox')
      made = self.call('POST', '/session', {'capabilities': {'alwaysMatch': {
         'browserName': 'chrome', 'goog:loggingPrefs': {'browser': 'ALL'},
         'goog:chromeOptions': {'args': arguments, 'binary': shutil.which('chromium') or shutil.which('chromium-browser')}}}})
      self.session = f"/session/{made['sessionId']}"

   def wait_for_driver(self):
      for _ in range(200):
         try:
            if self.call('GET', '/status')['ready']:
               return
         except OSError:
            pass
         time.sleep(0.05)
      raise RuntimeError('chromedriver does not answer')

   def call(self, method, path, body=None):
      data = None if body is None else json.dumps(body).encode()
      request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'}, method=method)
      try:
         with self.opener.open(request, timeout=60) as answer:
            return json.load(answer)['value']
      except urllib.error.HTTPError as error:
         raise RuntimeError(json.load(error)['value']['message']) from error

   def ask(self, method, path, body=None):
      return self.call(method, self.session + path, body)

   def open(self, path, fragment=''):
      # A change of the fragment alone would load nothing.
      self.ask('POST', '/url', {'url': 'about:blank'})
      began = time.monotonic()
      self.ask('POST', '/url', {'url': pathlib.Path(path).absolute().as_uri() + fragment})
      return time.monotonic() - began

   def run(self, script, *arguments):
      """The value of an expression, or of what a script returns."""
      body = script if 'return ' in script or ';' in script else f'return {script}'
      return self.ask('POST', '/execute/sync', {'script': body, 'args': list(arguments)})

   def wait(self, script, *arguments, seconds=10):
      until = time.monotonic() + seconds
      while time.monotonic() < until:
         value = self.run(script, *arguments)
         if value:
            return value
         time.sleep(0.02)
      return None

   def find(self, selector):
      return self.ask('POST', '/element', {'using': 'css selector', 'value': selector})[ELEMENT]

   def click(self, selector):
      self.ask('POST', f'/element/{self.find(selector)}/click', {})

   def point(self, selector):
      """Move the pointer over an element."""
      self.ask('POST', '/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': [
         {'type': 'pointerMove', 'duration': 0, 'x': 0, 'y': 0, 'origin': {ELEMENT: self.find(selector)}}]}]})

   def keys(self, text):
      actions = [{'type': kind, 'value': key} for key in text for kind in ('keyDown', 'keyUp')]
      self.ask('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': actions}]})

   def media(self, name):
      """'print', or '' for the screen."""
      self.ask('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {'media': name}})

   def console(self):
      """What the page has logged: errors, warnings, violations of its policy."""
      return [entry for entry in self.ask('POST', '/se/log', {'type': 'browser'})]

   def picture(self):
      return base64.b64decode(self.ask('GET', '/screenshot'))

   def close(self):
      try:
         if self.session:
            self.ask('DELETE', '')
      finally:
         self.driver.terminate()
         self.driver.wait(20)
         shutil.rmtree(self.folder, ignore_errors=True)

   def __enter__(self):
      return self

   def __exit__(self, *_):
      self.close()


# Keys that have no character.
LEFT, UP, RIGHT, DOWN, ENTER, ESCAPE = '\ue012', '\ue013', '\ue014', '\ue015', '\ue007', '\ue00c'
