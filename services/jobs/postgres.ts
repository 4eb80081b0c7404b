import type { Deps } from '@larder-dev/larder/kernel'

export type Postgres = Deps<'postgres'>['postgres']
