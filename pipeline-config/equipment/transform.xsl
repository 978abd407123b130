<?xml version="1.0" encoding="UTF-8"?>
<!-- Equipment to one Equipment fact. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:Equipment">
    <Models>
      <Model name="Equipment">
        <!-- Only the date, because a zone may follow it. -->
        <Field name="date_started"><xsl:value-of select="substring(normalize-space(d:dateStarted), 1, 10)"/></Field>
        <Field name="date_stopped"><xsl:value-of select="substring(normalize-space(d:dateStopped), 1, 10)"/></Field>
        <Field name="name"><xsl:value-of select="normalize-space(d:name)"/></Field>
        <Field name="vendor"><xsl:value-of select="normalize-space(d:vendor)"/></Field>
        <Field name="description"><xsl:value-of select="d:description"/></Field>
      </Model>
    </Models>
  </xsl:template>
</xsl:stylesheet>
