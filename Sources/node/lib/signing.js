"use strict";
const { sign } = require("node:crypto");

/** A provider token in Apple's form; `issuedAt` is in seconds since 1970. */
function providerToken({ signingKey: key, keyId, teamId }, issuedAt) {
  const signed = `${part({ alg: "ES256", kid: keyId })}.${part({ iss: teamId, iat: issuedAt })}`;
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

function part(value) {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

module.exports = { providerToken };
