<?xml version="1.0" encoding="UTF-8"?>
<!-- File to one StoredFile: its title, also for the whole document, and the number of bytes in its base64. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:File">
    <!-- White space in base64 has no meaning. Four characters are three bytes, less one for each = at the end. -->
    <xsl:variable name="base64" select="translate(d:content, ' &#9;&#10;&#13;', '')"/>
    <xsl:variable name="length" select="string-length($base64)"/>
    <xsl:variable name="filling" select="string-length(translate(substring($base64, $length - 1), translate(substring($base64, $length - 1), '=', ''), ''))"/>
    <Models>
      <About title="{d:title}" kind="{d:kind}" date="{substring(normalize-space(d:date), 1, 10)}"/>
      <Model name="StoredFile">
        <Field name="title"><xsl:value-of select="normalize-space(d:title)"/></Field>
        <Field name="kind"><xsl:value-of select="normalize-space(d:kind)"/></Field>
        <Field name="date"><xsl:value-of select="substring(normalize-space(d:date), 1, 10)"/></Field>
        <Field name="media_type"><xsl:value-of select="normalize-space(d:mediaType)"/></Field>
        <Field name="bytes"><xsl:value-of select="$length div 4 * 3 - $filling"/></Field>
      </Model>
    </Models>
  </xsl:template>
</xsl:stylesheet>
