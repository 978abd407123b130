"""A complete app in Python 3.9 or later, standard library only.

  APP_KEY=... APP_SECRET=... python3 app.py BASE dance RECORD       asks for access to a record, then uses it
  APP_KEY=... APP_SECRET=... python3 app.py BASE autonomous         a background app: every record that enabled it
  APP_KEY=... APP_SECRET=... python3 app.py BASE connect START_URL  opened by the website for a signed-in person
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode, urlsplit

BASE, COMMAND = sys.argv[1:3]
KEY, SECRET = os.environ["APP_KEY"], os.environ["APP_SECRET"]

# --- signing (OAuth 1.0a, HMAC-SHA1) ------------------------------------------------------------


def encode(text):
    return quote(text, safe="~")


def signature(method, url, parameters, token_secret=""):
    """The signature over method, address and every parameter, made with both secrets."""
    parts = urlsplit(url)
    pairs = sorted(f"{encode(name)}={encode(value)}" for name, value in parameters)
    text = "&".join([method, encode(f"{parts.scheme}://{parts.netloc}{parts.path}"), encode("&".join(pairs))])
    key = f"{encode(SECRET)}&{encode(token_secret)}"
    return base64.b64encode(hmac.new(key.encode(), text.encode(), hashlib.sha1).digest()).decode()


def call(method, path, token=None, form=None, xml=None, **oauth):
    """One signed call. A form is signed with its fields, any other body is not part of the signature."""
    url = BASE + path
    header = {
        "oauth_consumer_key": KEY,
        "oauth_nonce": uuid.uuid4().hex,
        "oauth_signature_method": "HMAC-SHA1",
        "oauth_timestamp": str(int(time.time())),
        "oauth_version": "1.0",
        **({"oauth_token": token["key"]} if token else {}),
        **oauth,
    }
    parameters = [*header.items(), *(form or {}).items(), *parse_qsl(urlsplit(url).query, keep_blank_values=True)]
    header["oauth_signature"] = signature(method, url, parameters, token["secret"] if token else "")
    body = urlencode(form) if form else xml or ("" if method == "POST" else None)
    request = urllib.request.Request(url, method=method, data=None if body is None else body.encode())
    request.add_header("Authorization", "OAuth " + ", ".join(f'{name}="{encode(value)}"' for name, value in header.items()))
    if xml:
        request.add_header("Content-Type", "application/xml")
    try:
        with urllib.request.urlopen(request) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def token_in(text):
    pairs = dict(parse_qsl(text))
    return {"key": pairs["oauth_token"], "secret": pairs["oauth_token_secret"], "record": pairs.get("xoauth_svc_record_id")}


# --- the three ways into a record ---------------------------------------------------------------


def dance(record):
    """The person lets the app in: request token, approval on the website, verifier, access token."""
    request = token_in(call("POST", "/oauth/request_token", form={"svc_record_id": record}, oauth_callback="oob"))
    print(f"request token: {request['key']}", flush=True)
    print(f"say yes at: {BASE}/my/authorize?oauth_token={encode(request['key'])}", flush=True)
    verifier = sys.stdin.readline().strip()
    return token_in(call("POST", "/oauth/access_token", token=request, oauth_verifier=verifier))


def autonomous():
    """A background app asks for a token of its own for each record that enabled it."""
    path = f"/apps/{encode(KEY)}/records/"
    for record in re.findall(r'<Record (?:[^>]* )?id="([^"]+)"', call("GET", path)):
        yield {**token_in(call("POST", f"{path}{record}/access_token")), "record": record}


def connect(start_url):
    """The website opens the app with a signed header in its address: who, which record, and a token.

    For a carenet the header names no record: the id is in the address, where the manifest's index has {carenet_id}.
    Changing it there only leads to 403.
    """
    parts = urlsplit(start_url)
    query = parse_qs(parts.query)
    header = query["oauth_header"][0]
    signed = {name: unquote(value) for name, value in re.findall(r'(\w+)="([^"]*)"', header) if name != "realm"}
    given = signed.pop("oauth_signature")
    made = signature("GET", f"{parts.scheme}://{parts.netloc}{parts.path}", signed.items())
    # Only the service and this app can make it, so nobody else can open the app in somebody's name.
    if not hmac.compare_digest(given, made) or abs(time.time() - int(signed["oauth_timestamp"])) > 300:
        sys.exit("the start address was not signed by the service, or is old")
    print(f"opened by {signed['smart_user_id']}")
    return {
        "key": signed["smart_oauth_token"],
        "secret": signed["smart_oauth_token_secret"],
        "record": signed.get("smart_record_id"),
        "carenet": query.get("carenet_id", [""])[0],
    }


# --- what the app does --------------------------------------------------------------------------

READING = """<VitalSign xmlns="https://svc.example/vocab/xml/documents#">
  <dateMeasured>2026-01-05T08:00:00Z</dateMeasured>
  <name type="http://loinc.org" value="8480-6">Systolic blood pressure</name>
  <value>{}</value>
  <unit type="http://unitsofmeasure.org" value="mm[Hg]">millimetres of mercury</unit>
</VitalSign>"""


def work(token):
    place = f"/records/{token['record']}" if token["record"] else f"/carenets/{token['carenet']}"
    # In a carenet an app only reads.
    for systolic in (128, 134) if token["record"] else ():
        stored = call("POST", f"{place}/documents/", token=token, xml=READING.format(systolic))
        print("stored", re.search(r'<Document (?:[^>]* )?id="([^"]+)"', stored)[1])
    report = f"{place}/reports/VitalSigns/?aggregate_by=avg*bp_systolic_value&response_format=application/json"
    value = json.loads(call("GET", report, token=token))[0]["value"]
    print("average", "unknown" if value is None else f"{value:g}")


for one in autonomous() if COMMAND == "autonomous" else [{"dance": dance, "connect": connect}[COMMAND](sys.argv[3])]:
    work(one)
