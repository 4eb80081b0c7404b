/** Redirects, with a tester of paths. */

import { type FormEvent, useId, useState } from 'react'
import { api, Button, fill, Icon, isStatus, ListScreen, type ResourceScreenProps, useSearch } from '../../public.ts'
import { useContentTexts } from './texts.ts'
import './content.css'

export default function RedirectList({ resource, id }: ResourceScreenProps) {
  return (
    <ListScreen resource={resource} id={id} search={useSearch()}>
      <Tester />
    </ListScreen>
  )
}

interface Result {
  readonly text: string
  readonly icon: string
}

function Tester() {
  const c = useContentTexts()
  const id = useId()
  const [path, setPath] = useState('')
  const [result, setResult] = useState<Result>()
  const test = async (event: FormEvent) => {
    event.preventDefault()
    const from = path.startsWith('/') ? path : `/${path}`
    try {
      const { body } = await api.get('/v1/content/redirects/resolve', { query: { path: from } })
      const values = { from, to: body.to ?? '', status: body.status, rule: body.from }
      setResult({ text: fill(body.to === null ? c.goneResult : c.redirectsTo, values), icon: 'corner-down-right' })
    } catch (error) {
      const text = isStatus(error, 404) ? fill(c.noRedirect, { from }) : error instanceof Error ? error.message : ''
      setResult({ text, icon: 'circle-alert' })
    }
  }
  return (
    <form className="card tester panel" onSubmit={test}>
      <div className="field">
        <label htmlFor={id}>{c.testPath}</label>
        <div className="tester-row">
          <input id={id} placeholder="/old/path" value={path} onChange={event => setPath(event.target.value)} />
          <Button type="submit" isDisabled={path.trim() === ''}>
            {c.test}
          </Button>
        </div>
        <p className="hint" role="status">
          {result ? (
            <span className="tester-result">
              <Icon name={result.icon} /> {result.text}
            </span>
          ) : (
            c.testPathHint
          )}
        </p>
      </div>
    </form>
  )
}
