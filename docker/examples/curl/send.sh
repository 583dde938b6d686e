# One push to the sandbox, by curl and OpenSSL alone: POSIX sh. For Apple's service, use your own key and ids.
set -eu

member() { sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p' /trust/ready.json; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

key_id=$(member keyId)
header=$(printf '{"alg":"ES256","kid":"%s"}' "$key_id" | base64url)
claims=$(printf '{"iss":"%s","iat":%s}' "$(member teamId)" "$(date +%s)" | base64url)
signature=$(printf '%s' "$header.$claims" | openssl dgst -sha256 -sign "/trust/AuthKey_$key_id.p8" | base64url)

curl --fail-with-body --silent --show-error --include --http2 --cacert /trust/ca.pem \
    --header "authorization: bearer $header.$claims.$signature" \
    --header 'apns-topic: com.example.app' --header 'apns-push-type: alert' \
    --data '{"aps":{"alert":"from curl"}}' \
    https://api.sandbox.push.apple.com/3/device/00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0
