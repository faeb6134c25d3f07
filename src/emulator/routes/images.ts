import { images } from "../../api/images";
import { PUBLIC_IMAGES } from "../operations/catalogue";
import { randomText } from "../store/chance";
import { regionFaults } from "../operations/checks";
import { type Checks, type Handlers, type Subjects, endpoints } from "../operations/endpoint";
import { findImage, findPrivateImage } from "../images/find";
import { UPLOAD_PATH } from "../images/uploads";
import { type Store } from "../kind/kind";
import { type Caller } from "../operations/accounts";
import { type ImageEntity, type ImageFields, image } from "../kinds/image";
import { node } from "../kinds/node";
import { lacksScope, refuse } from "../base/refusal";
import { emptyFields } from "../kind/field-types";
import { withoutUndefined } from "../operations/values";

const seesPrivate = (caller: Caller | undefined): boolean => caller?.allows("images:read_only") === true;

/** The images as the API shows them. A private image needs a token with the scope. */
function subjectsOf(store: Store): Subjects<ImageFields> {
  return {
    find(wireId, caller) {
      const id = String(wireId);
      if (id.startsWith("private/") && !caller) throw refuse(401, "Private images need a token.");
      if (id.startsWith("private/") && !seesPrivate(caller)) throw lacksScope(["images:read_only"]);
      return findImage(store, id);
    },
  };
}

function requirePrivate(store: Store, { id }: ImageFields): ImageEntity {
  const found = findPrivateImage(store, id);
  if (!found) throw refuse(400, "Only private images can be changed or deleted.");
  return found;
}

function findDisk(store: Store, id: number) {
  const nodes = store.table(node).all();
  return nodes.flatMap(({ hidden }) => hidden.disks).find((disk) => disk.id === id);
}

function insert(
  store: Store,
  { caller, body }: { caller: Caller | undefined; body: { description?: string | undefined } },
  fields: Pick<ImageFields, "label" | "size">,
  upload_key: string | null,
): ImageEntity {
  const id = store.nextId();
  const created = store.clock.date();
  const constant = { deprecated: false, is_public: false, status: "creating", type: "manual" } as const;
  const given = { description: body.description ?? null, ...fields, created_by: caller?.username ?? "" };
  const all = { id: `private/${id}`, ...emptyFields(image.fields), ...constant, ...given };
  const hidden = { upload_key, upload_bytes: null, upload_sha256: null };
  return store.table(image).insert(id, { ...all, created, updated: created }, hidden);
}

function handlersOf(store: Store): Handlers<typeof images, ImageFields> {
  const { clock } = store;
  const table = store.table(image);
  return {
    list: ({ caller }) => [
      ...PUBLIC_IMAGES,
      ...(seesPrivate(caller) ? table.all().map(({ fields }) => fields) : []),
    ],
    create(call) {
      const disk = findDisk(store, call.body.disk_id);
      const label = call.body.label ?? disk?.label ?? "";
      const captured = insert(store, call, { label, size: disk?.size ?? 0 }, null);
      table.begin(captured, image.transitions.capture);
      return captured.fields;
    },
    upload(call) {
      const upload_key = randomText(store.randomBytes);
      const awaited = insert(store, call, { label: call.body.label, size: 0 }, upload_key);
      table.begin(awaited, image.transitions.awaitUpload);
      return { image: awaited.fields, upload_to: `${call.origin}${UPLOAD_PATH}/${awaited.id}/${upload_key}` };
    },
    get: ({ subject }) => subject,
    update({ subject, body }) {
      const found = requirePrivate(store, subject);
      table.change(found, { ...withoutUndefined(body), updated: clock.date() });
      return found.fields;
    },
    delete({ subject }) {
      table.remove(requirePrivate(store, subject).id);
      return {};
    },
  };
}

function checksOf(store: Store): Checks<typeof images, ImageFields> {
  return {
    create({ body }) {
      const isKnown = body.disk_id === undefined || findDisk(store, body.disk_id);
      return isKnown ? [] : [{ field: "disk_id", reason: "is not a known disk" }];
    },
    upload: ({ body }) => regionFaults(body.region),
  };
}

export const routes = {
  images: (store: Store) => endpoints(images, subjectsOf(store), handlersOf(store), checksOf(store)),
};
