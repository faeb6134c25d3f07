/** Whether this is a run of `npm run test:all`, whose tests take all cases. In other runs they take a part of each that has them all between them. */
export const WHOLE = process.env["NODECLOUD_TESTS"] === "all";
