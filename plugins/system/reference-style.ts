/**
 * reference-style: the look of the API reference page on wide and narrow screens, light and dark, readable for weak
 * eyes.
 */

export const style = `body { margin: 0; }
#bar { position: sticky; top: 0; z-index: 2; background: #1f2933; color: #fff; font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 1px 6px #0006; }
#bar form { max-width: 1420px; margin: auto; padding: .7em 20px; display: flex; flex-wrap: wrap; gap: .5em .8em; align-items: end; }
#bar label { display: flex; flex-direction: column; gap: .15em; flex: 1 1 10em; }
#bar .search { flex: 2 1 16em; }
#bar details { flex: 4 1 38em; }
#bar summary { cursor: pointer; }
#bar .fields { display: flex; flex-wrap: wrap; gap: .5em .8em; }
#bar input { font: inherit; color: #1f2933; background: #fff; padding: .35em .5em; border: 1px solid #52606d; border-radius: 4px; min-width: 0; }
#bar input::placeholder { color: #616e7c; }
#bar small { flex-basis: 100%; color: #cbd2d9; }
#bar :focus-visible { outline: 3px solid #ffd166; outline-offset: 1px; }
#found { max-width: 1420px; margin: 0 auto; padding: 0 20px; font: 16px system-ui, sans-serif; }
#found:not(:empty) { margin: 2em auto; }
@media (min-width: 800px) { #bar summary { display: none; } }
@media (max-width: 799px) {
  #bar details { flex-basis: 100%; }
  #bar .fields { margin-top: .5em; }
  #bar details:not([open]) + small { display: none; }
  /* The fields would cover half of a telephone. */
  #bar:has(details[open]) { position: static; }
}

/* What is behind the bar when the browser scrolls to it cannot be seen. */
html { scroll-padding-top: 7em; }
.swagger-ui .opblock, .swagger-ui .opblock-tag { scroll-margin-top: 7em; }

/* Parts of the library that have no use here: its own search, servers, keys, and links between replies. */
#reference .topbar, #reference .scheme-container, #reference .filter, #reference .authorization__btn, #reference .response-col_links { display: none; }
.searching #reference .information-container, .searching #reference .models { display: none; }

#reference .info { margin: 24px 0; }
#reference .info table { font-size: 13px; }
#reference .info table :is(td, th):is(td, th, :first-of-type) { padding: 3px 12px 3px 0; min-width: 0; vertical-align: top; }
#reference .info table code { font-size: 12px; overflow-wrap: normal; }
#reference details summary { cursor: pointer; font-weight: bold; }
/* Room for the buttons that lie over the text. */
#reference .highlight-code pre { overflow-wrap: anywhere; padding-bottom: 3em; }
#reference .curl-command pre { padding-bottom: 2.5em; }

/* Colours that are told apart from what is behind them (4.5 to 1). */
#reference { --get: #0b62b8; --post: #17703f; --put: #9a5200; --delete: #b3202a; }
#reference :is(.opblock-summary-method, .btn.execute, .info .title small pre) { color: #fff; }
#reference .opblock-get .opblock-summary-method { background: var(--get); }
#reference .opblock-post .opblock-summary-method { background: var(--post); }
#reference .opblock-put .opblock-summary-method { background: var(--put); }
#reference .opblock-delete .opblock-summary-method { background: var(--delete); }
#reference .opblock-deprecated { opacity: 1; }
#reference .opblock-deprecated .opblock-summary-method { background: #5a6572; }
#reference .btn.execute { background: #0b62b8; border-color: #0b62b8; }
#reference .info .title small { background: #5a6572; }
#reference .info .title small.version-stamp { background: #17703f; }
html:not(.dark-mode) #reference .info a { color: #0b62b8; }
html:not(.dark-mode) #reference :is(.parameter__name.required span, .opblock-section-request-body h4 small, .btn.cancel) { color: #b3202a; border-color: #b3202a; }
html:not(.dark-mode) #reference :is(.parameter__name.required, .opblock-section-request-body h4.required)::after { color: #b3202a; }
html:not(.dark-mode) #reference .response-control-media-type__accept-message { color: #17703f; }
html:not(.dark-mode) #reference .parameter__in { color: #5a6572; }
html:not(.dark-mode) #reference .download-contents { background: #5a6572; }
html:not(.dark-mode) #reference :is(.json-schema-2020-12-expand-deep-button, .parameter__empty_value_toggle) { color: #5a6572; }
#reference .parameter__empty_value_toggle.disabled { opacity: 1; }
html.dark-mode #reference .btn.cancel { color: #ff9a9a; border-color: #ff9a9a; }
html.dark-mode #reference .header-col { color: #e4e6e6; }
/* Numbers in replies; the library writes their colour beside them. */
#reference .highlight-code span[style*="211, 99, 99"] { color: #ff9a9a !important; }
html.dark-mode body { background: #1c2022; color: #e4e6e6; }
#reference :is(button, a, input, select, textarea, summary, [tabindex]):focus-visible { outline: 3px solid #d97706; outline-offset: 1px; }

@media (max-width: 799px) {
  #reference .wrapper { padding: 0 12px; }
  #reference .info table { display: block; overflow-x: auto; }
  #reference :is(.responses-table, .live-responses-table, .parameters):is(table), #reference :is(.responses-table, .live-responses-table, .parameters) > :is(tbody, tbody > tr) { display: block; }
  #reference :is(.responses-table, .live-responses-table, .parameters) > thead { display: none; }
  #reference :is(.responses-table, .live-responses-table, .parameters) > tbody > tr > td:not(.response-col_links) { display: block; width: auto; min-width: 0; max-width: 100%; padding: 4px 0; }
  #reference .parameters-col_description input { max-width: 100%; }
  #reference :is(.response-control-media-type, .opblock-section-header) { flex-wrap: wrap; }
}
`;
