#!/bin/bash
# A complete app as a shell script: bash, curl and openssl.
#
#   APP_KEY=... APP_SECRET=... bash app.sh BASE dance RECORD       asks for access to a record, then uses it
#   APP_KEY=... APP_SECRET=... bash app.sh BASE autonomous         a background app: every record that enabled it
#   APP_KEY=... APP_SECRET=... bash app.sh BASE connect START_URL  opened by the website for a signed-in person
set -euo pipefail
export LC_ALL=C
base=$1 command=$2 argument=${3:-}

# --- signing (OAuth 1.0a, HMAC-SHA1) -----------------------------------------------------------

encode() { # TEXT -> percent-encoded
  local text=$1 out= c i
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $c in [A-Za-z0-9._~-]) out+=$c ;; *) printf -v c '%%%02X' "'$c"; out+=$c ;; esac
  done
  printf %s "$out"
}

decode() { local text=${1//+/ }; printf %b "${text//%/\\x}"; }

# METHOD ADDRESS TOKEN_SECRET, then every parameter as NAME=VALUE with both sides encoded.
signature() {
  local method=$1 address=$2 secret=$3 pairs
  shift 3
  pairs=$(printf '%s\n' "$@" | sort | paste -sd '&' -)
  printf %s "$method&$(encode "$address")&$(encode "$pairs")" |
    openssl dgst -sha1 -hmac "$(encode "$APP_SECRET")&$(encode "$secret")" -binary | base64
}

token= token_secret=

# call METHOD PATH [-q NAME VALUE | -f NAME VALUE | -o NAME VALUE | -x FILE]...   query, form, OAuth parameter, XML body
call() {
  local method=$1 path=$2 query='' header='' sent=() signed=() pair
  shift 2
  local oauth=(oauth_consumer_key "$APP_KEY" oauth_nonce "$(openssl rand -hex 16)" oauth_signature_method HMAC-SHA1
    oauth_timestamp "$(date +%s)" oauth_version 1.0)
  [ -z "$token" ] || oauth+=(oauth_token "$token")
  while [ $# -gt 0 ]; do
    case $1 in
      -q) pair="$(encode "$2")=$(encode "$3")"; signed+=("$pair"); query+="${query:+&}$pair"; shift 3 ;;
      -f) pair="$(encode "$2")=$(encode "$3")"; signed+=("$pair"); sent+=(--data "$pair"); shift 3 ;;
      -o) oauth+=("$2" "$3"); shift 3 ;;
      -x) sent+=(--header 'Content-Type: application/xml' --data-binary "@$2"); shift 2 ;;
    esac
  done
  local i
  for ((i = 0; i < ${#oauth[@]}; i += 2)); do
    pair="${oauth[i]}=$(encode "${oauth[i + 1]}")"
    signed+=("$pair")
    header+="${oauth[i]}=\"$(encode "${oauth[i + 1]}")\", "
  done
  header+="oauth_signature=\"$(encode "$(signature "$method" "$base$path" "$token_secret" "${signed[@]}")")\""
  curl --silent --show-error --fail-with-body --request "$method" --header "Authorization: OAuth $header" ${sent[@]+"${sent[@]}"} "$base$path${query:+?$query}"
}

take_token() { # a reply such as oauth_token=...&oauth_token_secret=...
  token=$(decode "$(sed -n 's/.*oauth_token=\([^&]*\).*/\1/p' <<<"$1")")
  token_secret=$(decode "$(sed -n 's/.*oauth_token_secret=\([^&]*\).*/\1/p' <<<"$1")")
}

# --- what the app does -------------------------------------------------------------------------

write() { # RECORD
  local systolic file
  file=$(mktemp)
  for systolic in 128 134; do
    cat >"$file" <<XML
<VitalSign xmlns="https://svc.example/vocab/xml/documents#">
  <dateMeasured>2026-01-05T08:00:00Z</dateMeasured>
  <name type="http://loinc.org" value="8480-6">Systolic blood pressure</name>
  <value>$systolic</value>
  <unit type="http://unitsofmeasure.org" value="mm[Hg]">millimetres of mercury</unit>
</VitalSign>
XML
    call POST "/records/$1/documents/" -x "$file" | sed -n 's/.*<Document \([^>]* \)*id="\([^"]*\)".*/stored \2/p'
    echo
  done
  rm "$file"
}

read_average() { # /records/RECORD or /carenets/CARENET
  call GET "$1/reports/VitalSigns/" -q aggregate_by 'avg*bp_systolic_value' -q response_format application/json |
    sed -e 's/.*"value":null.*/average unknown/' -e 's/.*"value":\([0-9.]*\).*/average \1/'
  echo
}

work() { # RECORD
  write "$1"
  read_average "/records/$1"
}

# --- the three ways into a record --------------------------------------------------------------

case $command in
  dance) # request token, approval on the website, verifier, access token
    take_token "$(call POST /oauth/request_token -f svc_record_id "$argument" -o oauth_callback oob)"
    echo "request token: $token"
    echo "say yes at: $base/my/authorize?oauth_token=$(encode "$token")"
    read -r verifier
    take_token "$(call POST /oauth/access_token -o oauth_verifier "$verifier")"
    work "$argument"
    ;;
  autonomous) # a background app asks for a token of its own for each record that enabled it
    path="/apps/$(encode "$APP_KEY")/records/"
    for record in $(call GET "$path" | grep -o '<Record [^>]*' | sed 's/.* id="\([^"]*\)".*/\1/'); do
      token= token_secret=
      take_token "$(call POST "$path$record/access_token")"
      work "$record"
    done
    ;;
  connect) # the website opens the app with a signed header in its address
    header=$(decode "$(sed -n 's/.*[?&]oauth_header=\([^&]*\).*/\1/p' <<<"$argument")")
    part() { sed -n "s/.*[, ]$1=\"\([^\"]*\)\".*/\1/p" <<<"$header"; }
    parts=$(grep -o '[a-z_]*="[^"]*"' <<<"$header" | tr -d '"' | grep -v -e '^realm=' -e '^oauth_signature=')
    mapfile -t signed <<<"$parts"
    # Only the service and this app can make it, so nobody else can open the app in somebody's name.
    if [ "$(signature GET "${argument%%\?*}" '' "${signed[@]}")" != "$(decode "$(part oauth_signature)")" ]; then
      echo 'the start address was not signed by the service' >&2
      exit 1
    fi
    echo "opened by $(decode "$(part smart_user_id)")"
    token=$(decode "$(part smart_oauth_token)") token_secret=$(decode "$(part smart_oauth_token_secret)")
    record=$(decode "$(part smart_record_id)")
    if [ -n "$record" ]; then
      work "$record"
    else
      # For a carenet the header names no record: the id is in the address, where the manifest's index has {carenet_id}. Changing it
      # there only leads to 403. In a carenet an app only reads.
      read_average "/carenets/$(sed -n 's/.*[?&]carenet_id=\([^&#]*\).*/\1/p' <<<"$argument")"
    fi
    ;;
esac
