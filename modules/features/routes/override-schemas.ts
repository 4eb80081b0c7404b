import { documented, idPattern, named, type Static, Type } from '@larder-dev/larder/kernel'
import { FlagValue } from '../records/flag.ts'

export const OverrideInput = Type.Object(
  {
    value: FlagValue,
    tenantId: Type.Optional(
      Type.String({ pattern: idPattern('ten'), description: 'Another tenant; requires features.override.grant' }),
    ),
  },
  { examples: [{ value: true }] },
)
export type OverrideInput = Static<typeof OverrideInput>

export const Override = named(
  'OverriddenFlag',
  Type.Object({ key: Type.String(), value: documented(FlagValue, Type.Unknown()), tenantId: Type.String() }),
)
