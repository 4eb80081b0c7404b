import type { Deps } from '@larder-dev/larder/kernel'

export type Postgres = Deps<'postgres'>['postgres']
/** One transaction across tenants, with savepoints. */
export type SystemTransaction = Parameters<Parameters<Postgres['systemTransaction']>[1]>[0]
