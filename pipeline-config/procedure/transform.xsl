<?xml version="1.0" encoding="UTF-8"?>
<!-- Procedure to one Procedure fact. Codes of any system are kept as sent. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:Procedure">
    <Models>
      <Model name="Procedure">
        <Field name="date_performed"><xsl:value-of select="normalize-space(d:datePerformed)"/></Field>
        <Field name="name"><xsl:value-of select="normalize-space(d:name)"/></Field>
        <Field name="name_type"><xsl:value-of select="normalize-space(d:name/@type)"/></Field>
        <Field name="name_value"><xsl:value-of select="normalize-space(d:name/@value)"/></Field>
        <Field name="name_abbrev"><xsl:value-of select="normalize-space(d:name/@abbrev)"/></Field>
        <Field name="provider_name"><xsl:value-of select="normalize-space(d:provider/d:name)"/></Field>
        <Field name="provider_institution"><xsl:value-of select="normalize-space(d:provider/d:institution)"/></Field>
        <Field name="location"><xsl:value-of select="normalize-space(d:location)"/></Field>
        <Field name="comments"><xsl:value-of select="d:comments"/></Field>
      </Model>
    </Models>
  </xsl:template>
</xsl:stylesheet>
