import { type Api, Failure, fieldErrors, TextArea, TextField, useScreenTexts } from '../../public.ts'
import { texts } from './texts.ts'

/** Texts of an email as the API stores them. */
export type Draft = Pick<Api.EmailTemplateText, 'subject' | 'preheader' | 'html' | 'text'>
interface Props {
  readonly draft: Draft
  readonly isReadOnly: boolean
  readonly failure: unknown
  readonly onChange: (draft: Draft) => void
}

export function TemplateFields({ draft, isReadOnly, failure, onChange }: Props) {
  const t = useScreenTexts(texts)
  const errors = fieldErrors(failure)
  const fields = [
    { name: 'subject', title: t.subject, rows: 0 },
    { name: 'preheader', title: t.preheader, rows: 0 },
    { name: 'html', title: t.html, rows: 14 },
    { name: 'text', title: t.plainText, rows: 5, hint: t.derived },
  ] as const
  return (
    <div className="form">
      <Failure error={failure} fields={fields.map(({ name }) => `/${name}`)} />
      {fields.map(({ name, title, rows, ...field }) => {
        const shared = {
          label: title,
          error: errors.get(`/${name}`),
          readOnly: isReadOnly,
          value: draft[name] ?? '',
          ...field,
          onChange: (text: string) => {
            const isNullable = name === 'preheader' || name === 'text'
            onChange({ ...draft, [name]: isNullable && text === '' ? null : text })
          },
        }
        return rows > 0 ? (
          <TextArea key={name} {...shared} className="code-input" rows={rows} spellCheck={false} />
        ) : (
          <TextField key={name} {...shared} />
        )
      })}
    </div>
  )
}
