import type { Deps } from 'larder/kernel'

export type Postgres = Deps<'postgres'>['postgres']
