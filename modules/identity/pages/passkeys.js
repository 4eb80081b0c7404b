/** Buttons of the sign-in page and of the account that use passkeys. Hidden in browsers without passkeys. */
{
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

  async function post(path, body) {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.detail)
    return answer
  }

  async function signIn(form) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/passkey/options', {})
    await post('/v1/auth/passkey/verify', { challenge, response: await startAuthentication({ optionsJSON }) })
    location.assign(form.elements.next.value)
  }

  async function add(form) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/me/passkeys/options', {})
    const response = await startRegistration({ optionsJSON })
    const label = form.elements.label.value.trim()
    await post('/v1/auth/me/passkeys', { challenge, response, ...(label && { label }) })
    location.assign('/account/sign-in-methods?done=added')
  }

  /** For forms that only the server can complete. */
  async function prove(form) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/passkey/options', {})
    form.elements.passkey.value = JSON.stringify({ challenge, response: await startAuthentication({ optionsJSON }) })
    form.submit()
  }
  const actions = { add, prove, 'sign-in': signIn }

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (!browserSupportsWebAuthn()) continue
    form.hidden = false
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const button = form.querySelector('button')
      const failure = form.querySelector('[role=alert]')
      failure.hidden = true
      button.disabled = true
      try {
        await actions[form.dataset.passkey](form)
      } catch {
        failure.hidden = false
      } finally {
        button.disabled = false
        // It lost the focus when it was disabled.
        button.focus()
      }
    })
  }
}
