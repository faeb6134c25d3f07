import { type Lifecycle } from "../provider/engine/provider-interface";
import { PROVIDER } from "../provider/state/hidden-properties";

/**
 * Serves dynamic resources. The outputs of the full plugin lack the text by which the dynamic plugin finds the provider. A resource that comes from
 * there is updated, which sends nothing and adds the text.
 */
export const dynamic = (lifecycle: Lifecycle): Lifecycle => ({
  ...lifecycle,
  diff: async (id, olds, news) => {
    const found = await lifecycle.diff(id, olds, news);
    return PROVIDER in news && !(PROVIDER in olds) ? { ...found, changes: true } : found;
  },
});
