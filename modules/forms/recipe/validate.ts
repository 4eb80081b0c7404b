import type { RecipeFault, ValidatedRecipe } from 'larder/kernel'
import { boundFaults, type Fault, schemaFaults } from '../core/schema.ts'
import type { FormsOptions } from '../options.ts'
import { isOrigin } from '../services/editing.ts'
import type { RecipeForm, Sections } from './sections.ts'

/** Compiles every schema, so that its mistakes are told with their line. */
export const validate = ({ sections }: ValidatedRecipe<FormsOptions, Sections>): readonly RecipeFault[] =>
  Object.entries(sections.forms ?? {}).flatMap(([key, form]) => faultsOf(form, ['forms', key]))

function faultsOf({ schema, uiSchema, allowedOrigins = [] }: RecipeForm, place: readonly string[]): RecipeFault[] {
  const at = (field: string, { path, detail }: Fault): RecipeFault => ({
    path: [...place, field, ...path],
    message: `${[field, ...path].join('.')} ${detail}`,
  })
  return [
    ...schemaFaults(schema).map(fault => at('schema', fault)),
    ...(uiSchema ? boundFaults(uiSchema).map(fault => at('uiSchema', fault)) : []),
    ...allowedOrigins.flatMap((origin, index) =>
      isOrigin(origin)
        ? []
        : [
            {
              path: [...place, 'allowedOrigins', index],
              message: `'${origin}' is no origin`,
              hint: 'write it as https://shop.example',
            },
          ],
    ),
  ]
}
