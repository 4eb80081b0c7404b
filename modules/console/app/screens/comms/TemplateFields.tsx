import type { EmailTemplateText } from '../../data/api-types.ts'
import { fieldErrors } from '../../data/problem.ts'
import { useScreenTexts } from '../../locales/index.ts'
import { texts } from './texts.ts'

/** Texts of an email as the API stores them. */
export type Draft = Pick<EmailTemplateText, 'subject' | 'preheader' | 'html' | 'text'>
interface Props {
  readonly draft: Draft
  readonly isReadOnly: boolean
  readonly failure: unknown
  readonly onChange: (draft: Draft) => void
}

export function TemplateFields({ draft, isReadOnly, failure, onChange }: Props) {
  const t = useScreenTexts(texts)
  const errors = fieldErrors(failure)
  const message = failure instanceof Error && errors.size === 0 ? failure.message : undefined
  const fields = [
    { name: 'subject', title: t.subject, rows: 0 },
    { name: 'preheader', title: t.preheader, rows: 0 },
    { name: 'html', title: t.html, rows: 14 },
    { name: 'text', title: t.plainText, rows: 5, hint: t.derived },
  ] as const
  return (
    <div className="form">
      {(message || errors.size > 0) && (
        <p className="notice danger" role="alert">
          {message ?? [...errors].map(([pointer, detail]) => `${pointer.replace(/^\//, '')}: ${detail}`).join(' ')}
        </p>
      )}
      {fields.map(field => {
        const error = errors.get(`/${field.name}`)
        const shared = {
          id: `template-${field.name}`,
          readOnly: isReadOnly,
          value: draft[field.name] ?? '',
          'aria-invalid': error !== undefined,
          onChange: ({ target }: { readonly target: { readonly value: string } }) => {
            const isNullable = field.name === 'preheader' || field.name === 'text'
            onChange({ ...draft, [field.name]: isNullable && target.value === '' ? null : target.value })
          },
        }
        return (
          <div key={field.name} className={`field${error ? ' invalid' : ''}`}>
            <label htmlFor={shared.id}>{field.title}</label>
            {field.rows > 0 ? (
              <textarea {...shared} className="code-input" rows={field.rows} spellCheck={false} />
            ) : (
              <input {...shared} type="text" autoComplete="off" />
            )}
            {'hint' in field && <p className="hint">{field.hint}</p>}
            {error && <p className="error">{error}</p>}
          </div>
        )
      })}
    </div>
  )
}
