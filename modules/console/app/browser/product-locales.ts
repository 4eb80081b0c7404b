/** The languages of the product, in which it shows texts that people write. */
import { metaOf } from './document.ts'

const [standard = 'en', ...others] = metaOf('product-locales').split(' ').filter(Boolean)

export const productLocales = { default: standard, available: [standard, ...others] } as const
