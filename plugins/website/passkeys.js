/**
 * passkeys: has the browser make a passkey or sign with one, and sends what it answers with the form whose button was pressed;
 * says the time zone of the browser at sign-in; shows a new password; and prints a page. The only script of the website:
 * without it the same forms take a code, a password stays hidden, and pages are printed by the browser's menu.
 */
(() => {
  'use strict';

  // Deferred by the listener, because the script stands before the form.
  document.addEventListener('DOMContentLoaded', () => {
    for (const field of document.querySelectorAll('input[type=hidden][name=zone]')) {
      field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
    }
  });

  // The style shows the buttons "Show" from now on.
  document.documentElement.classList.add('scripted');
  const reveal = (button) => {
    const field = document.getElementById(button.dataset.reveals);
    const shows = field.type === 'password';
    field.type = shows ? 'text' : 'password';
    button.firstChild.textContent = shows ? button.dataset.hide : button.dataset.show;
  };
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-reveals]');
    if (button) {
      reveal(button);
    }
  });
  // Browsers remember what was sent as plain text, and so a password is sent as one.
  document.addEventListener('submit', ({ target }) => {
    for (const button of target.querySelectorAll('[data-reveals]')) {
      document.getElementById(button.dataset.reveals).type = 'password';
    }
  });

  // Without the script, people print by the menu of their browser.
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-print]')) {
      window.print();
    }
  });

  if (window.PublicKeyCredential === undefined || navigator.credentials === undefined) {
    return;
  }
  // The style shows the buttons from now on, and hides what is said in their place.
  document.documentElement.classList.add('passkeys');

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
  const text = (buffer) => {
    const characters = Array.from(new Uint8Array(buffer), (one) => String.fromCharCode(one)).join('');
    return btoa(characters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  };
  const named = (passkeys) => (passkeys ?? []).map((one) => ({ ...one, id: bytes(one.id) }));
  const answer = ({ id, type }, response) => ({ id, rawId: id, type, response, clientExtensionResults: {} });

  const make = async ({ challenge, user, excludeCredentials, ...rest }) => {
    const made = await navigator.credentials.create({
      publicKey: {
        ...rest,
        challenge: bytes(challenge),
        user: { ...user, id: bytes(user.id) },
        excludeCredentials: named(excludeCredentials),
      },
    });
    const { clientDataJSON, attestationObject } = made.response;
    return answer(made, {
      clientDataJSON: text(clientDataJSON),
      attestationObject: text(attestationObject),
      transports: made.response.getTransports?.() ?? [],
    });
  };

  const show = async ({ challenge, allowCredentials, ...rest }) => {
    const shown = await navigator.credentials.get({
      publicKey: { ...rest, challenge: bytes(challenge), allowCredentials: named(allowCredentials) },
    });
    const { clientDataJSON, authenticatorData, signature } = shown.response;
    return answer(shown, {
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    });
  };

  const say = (form, failure) => {
    for (const sentence of form.querySelectorAll('[data-failure]')) {
      sentence.hidden = sentence.dataset.failure !== failure;
    }
  };

  const press = async (button) => {
    const { form, dataset } = button;
    say(form, '');
    button.disabled = true;
    try {
      const options = JSON.parse(dataset.options);
      const answered = await (dataset.passkey === 'make' ? make(options) : show(options));
      form.elements.namedItem('passkey').value = JSON.stringify(answered);
      form.submit();
    } catch (error) {
      // The browser says so when the device holds a passkey of this account already.
      say(form, dataset.passkey === 'make' && error.name === 'InvalidStateError' ? 'known' : 'failed');
    } finally {
      button.disabled = false;
    }
  };

  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-passkey]');
    const needed = button && button.form.elements.namedItem(button.dataset.needs);
    // With an empty field the form goes as it is: the answer says what is missing.
    if (button && (!needed || needed.value.trim() !== '')) {
      event.preventDefault();
      press(button);
    }
  });
})();
