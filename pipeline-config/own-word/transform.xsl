<?xml version="1.0" encoding="UTF-8"?>
<!-- OwnWord to one OwnWord fact, with a nested fact for each statement that it is about. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:OwnWord">
    <Models>
      <Model name="OwnWord">
        <Field name="verdict"><xsl:value-of select="normalize-space(d:verdict)"/></Field>
        <Field name="date"><xsl:value-of select="normalize-space(d:date)"/></Field>
        <Field name="test"><xsl:value-of select="normalize-space(d:test)"/></Field>
        <Field name="words"><xsl:value-of select="normalize-space(d:words)"/></Field>
        <Field name="about"><Models><xsl:apply-templates select="d:about"/></Models></Field>
      </Model>
    </Models>
  </xsl:template>

  <xsl:template match="d:about">
    <Model name="OwnWordAbout">
      <Field name="model"><xsl:value-of select="normalize-space(@model)"/></Field>
      <Field name="statement"><xsl:value-of select="translate(normalize-space(@statement), 'ABCDEF', 'abcdef')"/></Field>
      <Field name="words"><xsl:value-of select="normalize-space()"/></Field>
    </Model>
  </xsl:template>
</xsl:stylesheet>
