// Mynah in a container for tests in Node.
//
//     const mynah = await startMynah();
//     const provider = new apn.Provider({
//       address: mynah.host, port: mynah.port, ca: mynah.ca,
//       token: { key: mynah.key, keyId: mynah.keyId, teamId: mynah.teamId },
//     });
//     …
//     assert.ok((await mynah.post("/v1/expectations", { match: { topic: "com.example.app" } })).met);
//     await mynah.stop();
import { GenericContainer, Wait } from "testcontainers";

const APNS_PORT = 2197;
const CONTROL_PORT = 8197;
const READY_MILLISECONDS = 30_000;

/** Starts a server of its own. Flags of `mynah serve` go into `environment` as `MYNAH_…`. */
export async function startMynah(image = "mynah", environment = {}) {
  const container = await new GenericContainer(image)
    .withExposedPorts(APNS_PORT, CONTROL_PORT)
    .withEnvironment(environment)
    // 503 until the fixtures are loaded.
    .withWaitStrategy(Wait.forHttp("/readyz", CONTROL_PORT).forStatusCode(200))
    .withStartupTimeout(READY_MILLISECONDS)
    .start();
  const host = container.getHost();
  const url = `http://${host}:${container.getMappedPort(CONTROL_PORT)}`;
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.field ?? answer.title}: ${answer.detail}`);
    return answer;
  };
  // PEM: the CA to trust, and the development key that signs provider tokens, with its ids.
  const { ca, key, keyId, teamId } = await call("GET", "/v1/credentials");
  return {
    host,
    port: container.getMappedPort(APNS_PORT),
    url,
    ca,
    key,
    keyId,
    teamId,
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    delete: (path) => call("DELETE", path),
    stop: () => container.stop(),
  };
}
