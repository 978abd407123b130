<?xml version="1.0" encoding="UTF-8"?>
<!-- AllergyExclusion to one AllergyExclusion fact. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:AllergyExclusion">
    <Models>
      <Model name="AllergyExclusion"><xsl:apply-templates select="d:name"/></Model>
    </Models>
  </xsl:template>

  <xsl:template match="d:name">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix" select="'name'"/>
      <xsl:with-param name="list" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>
    </xsl:call-template>
  </xsl:template>

  <!-- A choice from a list. The list is the coding system, unless the document names another one. -->
  <xsl:template name="listed">
    <xsl:param name="prefix"/>
    <xsl:param name="list"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:choose>
        <xsl:when test="@type">
          <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template>
        </xsl:when>
        <xsl:when test="normalize-space(@value)"><xsl:value-of select="$list"/></xsl:when>
      </xsl:choose>
    </Field>
  </xsl:template>

  <!-- The known names of a coding system; any other name passes unchanged. -->
  <xsl:template name="system">
    <xsl:param name="uri"/>
    <xsl:choose>
      <xsl:when test="$uri = 'http://snomed.info/sct'
                   or $uri = 'http://purl.bioontology.org/ontology/SNOMEDCT'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.96'
                   or $uri = '2.16.840.1.113883.6.96'">http://purl.bioontology.org/ontology/SNOMEDCT/</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
