<?xml version="1.0" encoding="UTF-8"?>
<!-- SDMX without its namespace and document ids. Text is kept to the letter. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="d:Models">
    <Models><xsl:apply-templates select="d:Model"/></Models>
  </xsl:template>

  <xsl:template match="d:Model">
    <Model name="{normalize-space(@name)}"><xsl:apply-templates select="d:Field"/></Model>
  </xsl:template>

  <xsl:template match="d:Field">
    <Field name="{normalize-space(@name)}"><xsl:value-of select="."/></Field>
  </xsl:template>

  <!-- A nested fact takes precedence over text beside it. -->
  <xsl:template match="d:Field[*]">
    <Field name="{normalize-space(@name)}"><xsl:apply-templates select="*"/></Field>
  </xsl:template>
</xsl:stylesheet>
