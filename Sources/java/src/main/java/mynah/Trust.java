package mynah;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the server's CA, and tokens that the server trusts. */
final class Trust {
    private Trust() {}

    /** A context that trusts a CA alone. */
    static SSLContext contextOf(String authority) {
        try {
            byte[] bytes = authority.getBytes(StandardCharsets.US_ASCII);
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                "mynah", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes))
            );
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException error) {
            throw new MynahException("the server's CA can't be read: expected a certificate, PEM", error);
        }
    }

    /** A provider token in Apple's form. */
    static String providerToken(String key, String keyId, String teamId, Instant issuedAt) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("alg", "ES256");
        header.put("kid", keyId);
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", teamId);
        claims.put("iat", issuedAt.getEpochSecond());
        String signed = part(header) + "." + part(claims);
        try {
            byte[] der = Base64.getMimeDecoder().decode(key.replaceAll("-----[A-Z ]+-----", ""));
            PrivateKey signingKey = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
            // Of two numbers one after the other, as JSON Web Tokens have it.
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(signingKey);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException error) {
            throw new MynahException("the server's key can't sign: expected one of P-256, PKCS #8, PEM", error);
        }
    }

    private static String part(Map<String, Object> value) {
        byte[] bytes = Json.write(value).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
