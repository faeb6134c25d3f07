/** The interfaces of src/api/types: one for each schema of an object that a module of src/api exports, named after the schema. */
import { interfaceText } from "../sdk/interfaces.mjs";
import { joined } from "../schema/sentences.mjs";
import { fieldsText } from "./fields.mjs";
import { indexOf, moduleOf } from "./modules.mjs";
import { compiled, haveSameFields, isOpen } from "./schemas.mjs";

/** @import { Style } from "./fields.mjs" */
/** @import { Schemas, Type, ZodType } from "./schemas.mjs" */

const UNNAMED_FIELDS = "[field: string]: unknown";

const TYPES = "src/api/types";

/** @param {Schemas} schemas */
export const apiTypes = (schemas) => [
  ...schemas.stems.map((stem) => typesModule(stem, schemas)),
  indexOf(`${TYPES}/index.ts`, "src/api", ["common", ...schemas.stems].sort()),
];

/** @param {string} stem @param {Schemas} schemas */
function typesModule(stem, { named, program }) {
  const own = named.filter((one) => one.stem === stem);
  /** @type {Style} */
  const style = {
    program,
    nameOf: (field) => field,
    hasNull: true,
    objectText: (schema, value, { owner }) => {
      const alike = named.find((one) => haveSameFields(one.schema, schema));
      if (alike === undefined) return `{\n${bodyText(schema, value, owner, style)}}`;
      return alike.schema === schema ? alike.type : `(${alike.type} & { ${UNNAMED_FIELDS} })`;
    },
  };
  const texts = own.map((one) => {
    const { text, value } = compiled(one, program);
    const unnamed = isOpen(one.schema) ? "Fields that the reference does not name are kept unchanged." : "";
    return interfaceText(one.type, joined([text, unnamed]), bodyText(one.schema, value, one.type, style));
  });
  const others = [
    ...["Json", "Known"].map((type) => ({ type, from: "./common" })),
    ...named
      .filter((one) => !own.includes(one))
      .map(({ type, stem: other }) => ({ type, from: `./${other}` })),
  ];
  return moduleOf(`${TYPES}/${stem}.ts`, `src/api/${stem}.ts`, texts, others);
}

/** @param {ZodType} schema @param {Type} value @param {string} owner @param {Style} style */
const bodyText = (schema, value, owner, style) =>
  `${isOpen(schema) ? `  ${UNNAMED_FIELDS};\n` : ""}${fieldsText(schema, value, owner, style)}`;
