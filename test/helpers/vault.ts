import { createServer } from "node:http";
import { type AddressInfo } from "node:net";

/** A stack's `--secrets-provider`. The engine then asks Vault for the stack's key, where it would derive one from a passphrase, which is half of the processor time of its own process. */
export const SECRETS_PROVIDER = "hashivault://key";

interface Body {
  readonly plaintext?: string;
  readonly ciphertext?: string;
}

const PREFIX = "vault:v1:";

let variables: Promise<NodeJS.ProcessEnv> | undefined;

/**
 * Stands in for Vault, which holds the stacks' keys and does not encrypt them. Returns the variables that lead the engine there. A test that waits for the engine
 * without letting this process answer, as with `execFileSync`, gives its stack a passphrase.
 */
export const vault = (): Promise<NodeJS.ProcessEnv> =>
  (variables ??= new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { plaintext, ciphertext } = JSON.parse(Buffer.concat(chunks).toString()) as Body;
        const data =
          plaintext === undefined
            ? { plaintext: ciphertext?.slice(PREFIX.length) }
            : { ciphertext: PREFIX + plaintext };
        response.setHeader("Content-Type", "application/json").end(JSON.stringify({ data }));
      });
    });
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      // A worker of the tests ends with its tests.
      server.unref();
      resolve({ VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "test" });
    });
  }));
