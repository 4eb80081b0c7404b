import { idPattern, type Static, Type } from 'larder/kernel'
import { FlagValue } from './flag-schemas.ts'

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

export const Override = Type.Object({ key: Type.String(), value: Type.Unknown(), tenantId: Type.String() })
