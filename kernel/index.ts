/**
 * `@larder-dev/larder/kernel`: everything that services and modules import.
 *
 * Services and modules extend `Ports`, `Events`, `Jobs`, `Channels`, `Settings` and `Registrations` by declaration
 * merging:
 *
 *     declare module '@larder-dev/larder/kernel' {
 *       interface Ports { invoices: Invoices }
 *     }
 */
export * from './base/index.ts'
export * from './contract/index.ts'
export { bundleScript, dotted, importFile } from './recipe/index.ts'
export * from './records/index.ts'
