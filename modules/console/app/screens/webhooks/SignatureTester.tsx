import { type FormEvent, useState } from 'react'
import { areaCrumbs, Button, Page, TextArea, TextField, useScreenTexts } from '../../public.ts'
import { type SignedRequest, type Verdict, verify } from './signature.ts'
import { texts } from './texts.ts'

const EMPTY: SignedRequest = { secret: '', id: '', timestamp: '', body: '', signature: '' }

export default function SignatureTester() {
  const t = useScreenTexts(texts)
  const [request, setRequest] = useState(EMPTY)
  const [verdict, setVerdict] = useState<Verdict>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setVerdict(await verify(request, Date.now()))
  }
  const change = (name: keyof SignedRequest, value: string) => {
    setRequest({ ...request, [name]: value })
    setVerdict(undefined)
  }
  const fields = [
    { name: 'secret', title: t.secret, hint: t.secretHint },
    { name: 'id', title: t.id },
    { name: 'timestamp', title: t.timestamp, hint: t.timestampHint },
    { name: 'signature', title: t.signature },
  ] as const
  const isGood = verdict?.kind === 'valid'
  return (
    <Page title={t.tester} crumbs={areaCrumbs('webhooks')}>
      <p className="lead">{t.testerText}</p>
      <form className="form" onSubmit={submit}>
        {fields.map(field => (
          <TextField
            key={field.name}
            label={field.title}
            hint={'hint' in field ? field.hint : undefined}
            required
            spellCheck={false}
            value={request[field.name]}
            onChange={value => change(field.name, value)}
          />
        ))}
        <TextArea
          label={t.body}
          hint={t.bodyHint}
          rows={6}
          spellCheck={false}
          value={request.body}
          onChange={value => change('body', value)}
        />
        <div className="form-actions">
          <Button kind="primary" icon="check" type="submit">
            {t.check}
          </Button>
        </div>
        <div role="status">
          {verdict && (
            <p className={`notice ${isGood ? 'success' : 'danger'}`}>
              {verdict.kind === 'invalid' ? t.invalid.replace('{expected}', verdict.expected) : t[verdict.kind]}
            </p>
          )}
        </div>
      </form>
    </Page>
  )
}
