/** @type {unknown} */
const shared = globalThis;
module.exports = /** @type {{ requireOnce: NodeJS.Require }} */ (shared).requireOnce("@npmcli/arborist");
