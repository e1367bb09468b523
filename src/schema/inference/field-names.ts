/** Names of fields that tell one record from all others, if their values do. */
const KEY =
  /(^| )(uuid|guid|sku|ean|gtin|upc|isbn|issn|vin|iban|slug|handle|email|e mail|login|username|user name|nickname|barcode|serial|hostname|domain|permalink)$|^(code|key|number|no|nr|reference|ref)$| (code|key|number|no|nr|reference|ref)$/;
/** Such names end like keys, but many records share their values. */
const SHARED =
  /(^| )(zip|postal|post|country|state|region|area|currency|language|lang|locale|status|error|phone|telephone|mobile|fax|house|floor|room|page|line|street|color|colour|employee|version|discount|promo|coupon|tax|airport) (code|key|number|no|nr)$/;

/** Names of fields that choose from a few values. */
const CHOICE =
  /(^| )(status|state|type|kind|role|level|priority|severity|category|currency|gender|size|colou?r|unit|stage|phase|tier|plan|mode|visibility|language|lang|locale|channel|method|frequency|condition|class)$/;
/** Names of fields with free text, however few different ones were met. */
const FREE =
  /(^| )(ids?|name|title|subject|headline|text|body|content|description|summary|comment|note|notes|message|bio|about|address|street|city|town|phone|label|path|file|password|token|hash|secret|value|q|query)$/;

/** Names of numbers that may have decimals, even where all that were met are whole. */
const MEASURE =
  /(^| )(price|amount|total|subtotal|sum|cost|fee|tax|revenue|salary|balance|rate|ratio|share|percent|percentage|discount|weight|height|width|length|depth|distance|temperature|latitude|lat|longitude|lon|lng|score|rating|average|avg|mean)$/;

export function looksLikeKey(name: string): boolean {
  const words = spacedWords(name);
  return KEY.test(words) && !SHARED.test(words);
}

export function looksLikeChoice(name: string): boolean {
  return CHOICE.test(spacedWords(name));
}

export function looksLikeFreeText(name: string): boolean {
  return FREE.test(spacedWords(name));
}

export function looksLikeMeasure(name: string): boolean {
  return MEASURE.test(spacedWords(name));
}

/** The words of a field's name: `firstName`, `first_name` and `first-name` are all `first name`. */
export function spacedWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim()
    .toLowerCase();
}
