import { defineModule } from 'larder/kernel'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'

export default defineModule({
  name: 'collections',
  summary: "The product's own data: tables, API and permissions from the recipe.",
  sections,
  validate,
  locales: new URL('./locales/', import.meta.url),
})
