// Mynah in a container for tests in Node, with Mynah's package for Node (Sources/node).
//
//     const { server, stop } = await startMynah();
//     const provider = new apn.Provider({
//       address: server.host, port: server.port, ca: server.ca,
//       token: { key: server.signingKey, keyId: server.keyId, teamId: server.teamId },
//     });
//     …
//     await server.scope("test 1").expect({ topic: "com.example.app" });
//     await stop();
import { connect } from "mynah";
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
  const url = `http://${container.getHost()}:${container.getMappedPort(CONTROL_PORT)}`;
  const token = environment.MYNAH_CONTROL_TOKEN;
  const server = await connect(url, { token, port: container.getMappedPort(APNS_PORT) });
  return { server, stop: () => container.stop() };
}
