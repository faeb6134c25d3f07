import { z } from "zod";
import { type OperationSpec } from "../../api/operation";
import { errorEnvelope, pageOf } from "../../api/schema";
import { TEXT_PARAMS } from "../../api/scopes-and-params";
import { zodOf } from "../../api/zod-of";
import { PAGE_SIZE } from "./validation";

/** An operation with its name in the document, such as `domains.create`. */
export interface OpenOperation {
  readonly name: string;
  readonly spec: OperationSpec;
}

/** The JSON schema without `$schema`. An OpenAPI 3.1 document has one for all schemas. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const document = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    // The values of an open list are examples, because the service may answer with others.
    override({ jsonSchema }) {
      const { knownValues } = jsonSchema;
      if (!Array.isArray(knownValues)) return;
      delete jsonSchema["knownValues"];
      jsonSchema.examples = knownValues;
    },
  });
  delete document.$schema;
  return document;
}

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

function parametersOf({ path, paged }: OperationSpec): object[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return [
    ...names.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: TEXT_PARAMS.has(name) ? { type: "string", minLength: 1 } : { type: "integer", minimum: 1 },
    })),
    ...(paged ? [ref("parameters", "page"), ref("parameters", "page_size")] : []),
  ];
}

/** An operation as OpenAPI describes it. */
function operationOf({ name, spec }: OpenOperation): object {
  const { body, bodyOptional, reply, paged, scopes, grant, unrestrictedOnly, status, assumed } = spec;
  return {
    operationId: name,
    tags: [name.split(".")[0]],
    summary: spec.summary,
    security: scopes.length === 0 ? [] : [{ token: [] }, ...(spec.anonymous ? [{}] : [])],
    "x-scopes": scopes,
    ...(grant && { "x-grant": grant }),
    ...(unrestrictedOnly && { "x-unrestricted-only": true }),
    ...(status && { "x-status": status }),
    ...(assumed && { "x-assumed": true }),
    parameters: parametersOf(spec),
    ...(body && { requestBody: { required: !bodyOptional, ...json(schemaOf(zodOf(body), "input")) } }),
    responses: {
      "200": {
        description: "Done.",
        ...json(schemaOf(paged ? pageOf(zodOf(reply)) : zodOf(reply), "output")),
      },
      "4XX": ref("responses", "refused"),
    },
  };
}

function queryParameter(name: string, description: string, bounds: object) {
  return { name, in: "query", description, schema: { type: "integer", ...bounds } };
}

/** The OpenAPI 3.1 document of the served operations, made from the schemas that check the requests. */
export function openApiDocument(server: string, operations: readonly OpenOperation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method } = operation.spec;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Node cloud API, as the emulator serves it", version: "v4" },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      parameters: {
        page: queryParameter("page", "Which page.", { minimum: 1, default: 1 }),
        page_size: queryParameter("page_size", "How many items a page has.", PAGE_SIZE),
      },
      responses: {
        refused: {
          description:
            "The request is refused, with all reasons. A reason has `field` if one field is at fault.",
          ...json(schemaOf(errorEnvelope, "output")),
        },
      },
    },
  };
}
