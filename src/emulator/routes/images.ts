import { images } from "../../api/images";
import { PUBLIC_IMAGES } from "../catalogue";
import { randomText } from "../store/chance";
import { regionFaults } from "../operations/checks";
import { type Checks, type Handlers, type Subjects, endpoints } from "../operations/endpoint";
import { findImage, findPrivateImage } from "../images/find";
import { UPLOAD_PATH } from "../images/uploads";
import { type Store } from "../kind";
import { type ImageEntity, type ImageFields, type ImageHidden, image } from "../kinds/image";
import { node } from "../kinds/node";
import { notFound, refuse } from "../http/refusal";
import { emptyFields } from "../store/field-types";
import { given } from "../operations/values";

const NOTHING_UPLOADED: ImageHidden = { upload_key: null, upload_bytes: null, upload_sha256: null };

/** The ids of existing images. A private image needs a token. */
function subjectsOf(store: Store): Subjects<string> {
  return {
    find(wireId, caller) {
      const id = String(wireId);
      if (id.startsWith("private/") && !caller) {
        throw refuse(401, "Private images need a token with the scope images:read_only.");
      }
      return findImage(store, id) && id;
    },
  };
}

function requirePrivate(store: Store, id: string): ImageEntity {
  const found = findPrivateImage(store, id);
  if (!found) throw refuse(400, "Only private images can be changed or deleted.");
  return found;
}

function findDisk(store: Store, id: number) {
  return store
    .table(node)
    .all()
    .flatMap(({ hidden }) => hidden.disks)
    .find((disk) => disk.id === id);
}

function insert(
  store: Store,
  fields: Pick<ImageFields, "label" | "description" | "created_by" | "size">,
  hidden: ImageHidden,
): ImageEntity {
  const id = store.nextId();
  const created = store.clock.date();
  const constant = { deprecated: false, is_public: false, status: "creating", type: "manual" } as const;
  const all = { id: `private/${id}`, ...emptyFields(image.fields), ...constant, ...fields };
  return store.table(image).insert(id, { ...all, created, updated: created }, hidden);
}

function handlersOf(store: Store): Handlers<typeof images, string> {
  const { clock } = store;
  const table = store.table(image);
  return {
    list: ({ caller }) => [...PUBLIC_IMAGES, ...(caller ? table.all().map(({ fields }) => fields) : [])],
    create({ body, caller }) {
      const disk = findDisk(store, body.disk_id);
      const fields = {
        label: body.label ?? disk?.label ?? "",
        description: body.description ?? null,
        created_by: caller?.username ?? "",
        size: disk?.size ?? 0,
      };
      const captured = insert(store, fields, NOTHING_UPLOADED);
      table.begin(captured, image.transitions.capture);
      return captured.fields;
    },
    upload({ body, caller, origin }) {
      const upload_key = randomText(store.randomBytes);
      const fields = {
        label: body.label,
        description: body.description ?? null,
        created_by: caller?.username ?? "",
        size: 0,
      };
      const awaited = insert(store, fields, { ...NOTHING_UPLOADED, upload_key });
      table.begin(awaited, image.transitions.awaitUpload);
      return { image: awaited.fields, upload_to: `${origin}${UPLOAD_PATH}/${awaited.id}/${upload_key}` };
    },
    get({ subject }) {
      const found = findImage(store, subject);
      if (!found) throw notFound();
      return found;
    },
    update({ subject, body }) {
      const found = requirePrivate(store, subject);
      table.change(found, { ...given(body), updated: clock.date() });
      return found.fields;
    },
    delete({ subject }) {
      table.remove(requirePrivate(store, subject).id);
      return {};
    },
  };
}

function checksOf(store: Store): Checks<typeof images, string> {
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
