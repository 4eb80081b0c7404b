import { defineModule } from 'larder/kernel'
import { normalizeAll } from './domain/normalize.ts'
import { declarations } from './recipe/declarations.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'

export default defineModule({
  name: 'collections',
  summary: "The product's own data: tables, API and permissions from the recipe.",
  needs: ['database'],
  sections,
  validate,
  declare: ({ sections: { collections = {} } }) =>
    declarations(normalizeAll(collections, { from: 'recipe', resolveFile: (_path, file) => file })),
  locales: new URL('./locales/', import.meta.url),
})
