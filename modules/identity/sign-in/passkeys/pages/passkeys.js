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

  /** Before the challenge of the former offer expires, after five minutes. */
  const OFFER_MS = 4 * 60_000
  const MAX_REFUSALS = 3

  async function sign(useBrowserAutofill) {
    const { challenge, options: optionsJSON } = await post('/v1/auth/passkey/options', {})
    return { challenge, response: await startAuthentication({ optionsJSON, useBrowserAutofill }) }
  }
  async function finish(form, signed) {
    await post('/v1/auth/passkey/verify', signed)
    location.assign(form.elements.next.value)
  }
  const signIn = async form => finish(form, await sign(false))

  /**
   * Offers passkeys among the addresses that the browser suggests, with a new challenge from time to time. The button ends
   * the offer, and a new offer the former one.
   */
  async function createOffer(form, failure) {
    const isPossible = document.querySelector('input[autocomplete~="webauthn"]') && browserSupportsWebAuthnAutofill()
    if (!(await isPossible)) return () => {}
    let timer
    let refusals = 0
    return async function offer() {
      clearTimeout(timer)
      timer = setTimeout(offer, OFFER_MS)
      // Nobody asked for it before a passkey was chosen: the button says what is wrong.
      const signed = await sign(true).catch(() => undefined)
      if (signed === undefined) return
      clearTimeout(timer)
      failure.hidden = true
      try {
        await finish(form, signed)
      } catch (error) {
        show(failure, reasonOf(error))
        // A computer that slept brings an old challenge. The next one is new.
        refusals += 1
        if (refusals < MAX_REFUSALS) await offer()
      }
    }
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
    form.elements.passkey.value = JSON.stringify(await sign(false))
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
    const offering = form.dataset.passkey === 'sign-in' ? createOffer(form, failure) : Promise.resolve(() => {})
    const offerAgain = async () => (await offering)()
    offerAgain()
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const button = form.querySelector('button')
      failure.hidden = true
      button.disabled = true
      try {
        await actions[form.dataset.passkey](form)
      } catch (error) {
        show(failure, reasonOf(error.cause ?? error) ?? reasonOf(error))
        offerAgain()
      } finally {
        button.disabled = false
        // It lost the focus when it was disabled.
        button.focus()
      }
    })
  }
}
