/** Buttons of the sign-in page and of the account that use passkeys. Where they can't work, the account says why. */
{
  const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
    globalThis.SimpleWebAuthnBrowser

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

  async function signIn(form, useBrowserAutofill = false) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/passkey/options', {})
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill })
    await post('/v1/auth/passkey/verify', { challenge, response })
    location.assign(form.elements.next.value)
  }

  /** Offers passkeys among the addresses that the browser suggests. The button ends the offer. */
  async function offer(form) {
    if (!document.querySelector('input[autocomplete~="webauthn"]')) return
    if (await browserSupportsWebAuthnAutofill()) await signIn(form, true)
  }

  async function add(form) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/me/passkeys/options', {})
    const response = await startRegistration({ optionsJSON })
    const label = form.elements.label.value.trim()
    await post('/v1/auth/me/passkeys', { challenge, response, ...(label && { label }) })
    location.assign('/account/sign-in-methods?done=added')
  }

  /** Proves with a passkey in forms that only the server can complete. */
  async function prove(form) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/passkey/options', {})
    form.elements.passkey.value = JSON.stringify({ challenge, response: await startAuthentication({ optionsJSON }) })
    form.submit()
  }
  const actions = { add, prove, 'sign-in': signIn }

  /** Passkeys belong to a domain name. */
  const isIpAddress = /^[\d.]+$|^\[/.test(location.hostname)
  function whyNot() {
    if (isIpAddress) return 'address'
    if (!globalThis.isSecureContext) return 'insecure'
    return browserSupportsWebAuthn() ? undefined : 'unsupported'
  }
  /** What went wrong: a reason that the form has words for, or its general sentence. */
  const reasonOf = ({ name }) =>
    ({ InvalidStateError: 'known', NotAllowedError: 'canceled', SecurityError: 'address' })[name]

  function show(place, reason) {
    const words = reason && place.closest('section')?.querySelector(`[data-passkey-reason="${reason}"]`)
    place.textContent = words ? words.textContent : place.dataset.sentence
    place.hidden = false
  }

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    const failure = form.querySelector('[role=alert]')
    failure.dataset.sentence = failure.textContent
    const reason = whyNot()
    if (reason !== undefined) {
      const words = form.closest('section')?.querySelector(`[data-passkey-reason="${reason}"]`)
      if (words) words.hidden = false
      continue
    }
    form.hidden = false
    // Nobody asked for it: the button says what is wrong.
    if (form.dataset.passkey === 'sign-in') offer(form).catch(() => {})
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const button = form.querySelector('button')
      failure.hidden = true
      button.disabled = true
      try {
        await actions[form.dataset.passkey](form)
      } catch (error) {
        show(failure, reasonOf(error.cause ?? error) ?? reasonOf(error))
      } finally {
        button.disabled = false
        // It lost the focus when it was disabled.
        button.focus()
      }
    })
  }
}
