<?xml version="1.0" encoding="UTF-8"?>
<!-- SDMX without its document ids. Text is kept to the letter. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="Models">
    <Models><xsl:apply-templates select="Model"/></Models>
  </xsl:template>

  <xsl:template match="Model">
    <Model name="{normalize-space(@name)}"><xsl:apply-templates select="Field"/></Model>
  </xsl:template>

  <xsl:template match="Field">
    <Field name="{normalize-space(@name)}"><xsl:value-of select="."/></Field>
  </xsl:template>

  <!-- A nested fact takes precedence over text beside it. -->
  <xsl:template match="Field[*]">
    <Field name="{normalize-space(@name)}"><xsl:apply-templates select="*"/></Field>
  </xsl:template>
</xsl:stylesheet>
