import { images } from "../../api/images";
import { PUBLIC_IMAGES } from "../catalogue";
import { randomText } from "../chance";
import { regionFaults } from "../checks";
import { type Subjects, endpoints } from "../endpoint";
import { findImage, findPrivateImage } from "../images";
import { type ImageEntity, type ImageFields, type ImageHidden, type Store } from "../objects";
import { notFound, refuse } from "../refusal";
import { TRANSITIONS } from "../transitions";
import { UPLOAD_PATH } from "../uploads";
import { given } from "../values";

const NOTHING_UPLOADED: ImageHidden = { upload_key: null, upload_bytes: null, upload_sha256: null };

export function imageEndpoints(store: Store) {
  const { images: table, nodes, clock } = store;

  /** The id in the path where there is such an image; a private one is shown to those who have a token only. */
  const subjects: Subjects<string> = {
    find(wireId, caller) {
      const id = String(wireId);
      if (id.startsWith("private/") && !caller) {
        throw refuse(401, "Private images need a token with the scope images:read_only.");
      }
      return findImage(store, id) && id;
    },
  };

  function requirePrivate(id: string): ImageEntity {
    const image = findPrivateImage(store, id);
    if (!image) throw refuse(400, "Only private images can be changed or deleted.");
    return image;
  }

  function findDisk(id: number) {
    return nodes
      .all()
      .flatMap(({ hidden }) => hidden.disks)
      .find((disk) => disk.id === id);
  }

  function insert(
    fields: Pick<ImageFields, "label" | "description" | "created_by" | "size">,
    hidden: ImageHidden,
  ): ImageEntity {
    const id = store.nextId();
    const created = clock.date();
    return table.insert(
      id,
      {
        ...fields,
        id: `private/${id}`,
        capabilities: [],
        created,
        updated: created,
        deprecated: false,
        eol: null,
        expiry: null,
        is_public: false,
        status: "creating",
        type: "manual",
        vendor: null,
      },
      hidden,
    );
  }

  return endpoints(
    images,
    subjects,
    {
      list: ({ caller }) => [...PUBLIC_IMAGES, ...(caller ? table.all().map(({ fields }) => fields) : [])],
      create({ body, caller }) {
        const disk = findDisk(body.disk_id);
        const image = insert(
          {
            label: body.label ?? disk?.label ?? "",
            description: body.description ?? null,
            created_by: caller?.username ?? "",
            size: disk?.size ?? 0,
          },
          NOTHING_UPLOADED,
        );
        table.begin(image, TRANSITIONS.image.capture);
        return image.fields;
      },
      upload({ body, caller, origin }) {
        const upload_key = randomText(store.randomBytes);
        const image = insert(
          {
            label: body.label,
            description: body.description ?? null,
            created_by: caller?.username ?? "",
            size: 0,
          },
          { ...NOTHING_UPLOADED, upload_key },
        );
        table.begin(image, TRANSITIONS.image.awaitUpload);
        return { image: image.fields, upload_to: `${origin}${UPLOAD_PATH}/${image.id}/${upload_key}` };
      },
      get({ subject }) {
        const image = findImage(store, subject);
        if (!image) throw notFound();
        return image;
      },
      update({ subject, body }) {
        const image = requirePrivate(subject);
        table.change(image, { ...given(body), updated: clock.date() });
        return image.fields;
      },
      delete({ subject }) {
        table.remove(requirePrivate(subject).id);
        return {};
      },
    },
    {
      create: ({ body }) => {
        const isKnown = body.disk_id === undefined || findDisk(body.disk_id);
        return isKnown ? [] : [{ field: "disk_id", reason: "is not a known disk" }];
      },
      upload: ({ body }) => regionFaults(body.region),
    },
  );
}
