/**
 * `@larder-dev/larder/kernel/internal`: every name of the kernel, for services. It may change in any release. A shipped module
 * that imports it stands in test/architecture/internal-names.ts with the reason.
 */
export * from './base/index.ts'
export * from './contract/index.ts'
export { bundleScript, dotted, importFile } from './recipe/index.ts'
export * from './records/index.ts'
