package mynah

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

const (
	// tokenSeconds is the lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20
	// minutes (TooManyProviderTokenUpdates).
	tokenSeconds = 50 * 60
	// scalarBytes is the length of each half of a signature.
	scalarBytes = 32
	publicMode  = 0o644
	secretMode  = 0o600
)

var errOwnKeys = errors.New("the server uses its user's own keys, which it doesn't hand out")

// Host is the host for pushes.
func (e *Endpoint) Host() string { return e.host }

// Port is the port for pushes.
func (e *Endpoint) Port() int { return e.port }

// APNsURL is the URL for pushes: https://localhost:2197.
func (e *Endpoint) APNsURL() string {
	return "https://" + net.JoinHostPort(e.host, strconv.Itoa(e.port))
}

// CA is the CA to trust, PEM.
func (e *Endpoint) CA() string { return e.credentials.CA }

// TLSConfig trusts the server, and nobody else.
func (e *Endpoint) TLSConfig() *tls.Config {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(e.credentials.CA))
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// CAFile writes the CA into a folder, and gives the file's path.
func (e *Endpoint) CAFile(folder string) (string, error) {
	path := filepath.Join(folder, "ca.pem")
	return path, os.WriteFile(path, []byte(e.credentials.CA), publicMode)
}

// SigningKey is the development key that signs provider tokens, PEM; an error if the server uses its user's own keys.
func (e *Endpoint) SigningKey() (string, error) { return own(e.credentials.Key) }

// KeyFile writes the development key into a folder as an AuthKey_<KEYID>.p8, and gives the file's path.
func (e *Endpoint) KeyFile(folder string) (string, error) {
	key, err := e.SigningKey()
	if err != nil {
		return "", err
	}
	id, err := e.KeyID()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "AuthKey_"+id+".p8")
	return path, os.WriteFile(path, []byte(key), secretMode)
}

// KeyID is the id of the development key.
func (e *Endpoint) KeyID() (string, error) { return own(e.credentials.KeyID) }

// TeamID is the team of the development key.
func (e *Endpoint) TeamID() (string, error) { return own(e.credentials.TeamID) }

func own(value *string) (string, error) {
	if value == nil {
		return "", errOwnKeys
	}
	return *value, nil
}

// ProviderToken is a provider token that the server accepts, for "authorization: bearer …". It stays the same for 50
// minutes of the server's clock, as APNs requires.
func (e *Endpoint) ProviderToken(ctx context.Context) (string, error) {
	status, err := recordOf[Status](ctx, e.control, newRequest("GET", "/v1/status"))
	if err != nil {
		return "", err
	}
	e.lock.Lock()
	defer e.lock.Unlock()
	now := status.Now.Unix()
	if age := now - e.issuedAt; e.issued != "" && age >= 0 && age < tokenSeconds {
		return e.issued, nil
	}
	token, err := e.sign(now)
	if err != nil {
		return "", err
	}
	e.issued = token
	e.issuedAt = now
	return token, nil
}

// sign makes a provider token in Apple's form.
func (e *Endpoint) sign(issuedAt int64) (string, error) {
	key, err := e.SigningKey()
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		return "", errors.New("the server's key is not PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", fmt.Errorf("the server's key: %w", err)
	}
	private, isElliptic := parsed.(*ecdsa.PrivateKey)
	if !isElliptic {
		return "", fmt.Errorf("the server's key is a %T: expected one of P-256", parsed)
	}
	header, err := tokenPart(map[string]any{"alg": "ES256", "kid": e.credentials.KeyID})
	if err != nil {
		return "", err
	}
	claims, err := tokenPart(map[string]any{"iss": e.credentials.TeamID, "iat": issuedAt})
	if err != nil {
		return "", err
	}
	signed := header + "." + claims
	digest := sha256.Sum256([]byte(signed))
	first, second, err := ecdsa.Sign(rand.Reader, private, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 2*scalarBytes)
	first.FillBytes(signature[:scalarBytes])
	second.FillBytes(signature[scalarBytes:])
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

func tokenPart(value any) (string, error) {
	text, err := json.Marshal(value)
	return base64.RawURLEncoding.EncodeToString(text), err
}
