import { productLocales } from '../browser/product-locales.ts'
import { languageName, useTexts } from '../locales/index.ts'
import { SelectField } from './LabeledField.tsx'

interface Props {
  readonly locale: string
  readonly onChange: (locale: string) => void
}

/** Chooses the language of the texts that a screen edits. Absent in a product with one language. */
export function TextLanguage({ locale, onChange }: Props) {
  const t = useTexts()
  if (productLocales.available.length < 2) return null
  return (
    <div className="text-language">
      <SelectField
        label={t('textsIn')}
        value={locale}
        options={productLocales.available.map(each => [each, languageName(each)])}
        onChange={onChange}
      />
    </div>
  )
}
