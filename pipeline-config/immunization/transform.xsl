<?xml version="1.0" encoding="UTF-8"?>
<!-- Immunization to one Immunization fact. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:Immunization">
    <Models>
      <Model name="Immunization">
        <Field name="date"><xsl:value-of select="normalize-space(d:dateAdministered)"/></Field>
        <xsl:apply-templates select="d:administrationStatus"/>
        <xsl:for-each select="d:vaccine/d:type">
          <xsl:call-template name="coded"><xsl:with-param name="prefix" select="'product_name'"/></xsl:call-template>
        </xsl:for-each>
        <xsl:apply-templates select="d:vaccine/d:class | d:refusalReason"/>
        <Field name="lotNumber"><xsl:value-of select="normalize-space(d:vaccine/d:lot)"/></Field>
      </Model>
    </Models>
  </xsl:template>

  <xsl:template match="d:administrationStatus">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix" select="'administration_status'"/>
      <xsl:with-param name="list" select="'http://smartplatforms.org/terms/codes/ImmunizationAdministrationStatus#'"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="d:class">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix">product_class<xsl:if test="preceding-sibling::d:class">_2</xsl:if></xsl:with-param>
      <xsl:with-param name="list" select="'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=vg#'"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="d:refusalReason">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix" select="'refusal_reason'"/>
      <xsl:with-param name="list" select="'http://smartplatforms.org/terms/codes/ImmunizationRefusalReason#'"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="coded">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template>
    </Field>
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
      <xsl:when test="$uri = 'http://hl7.org/fhir/sid/cvx'
                   or $uri = 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx'
                   or $uri = 'urn:oid:2.16.840.1.113883.12.292'
                   or $uri = '2.16.840.1.113883.12.292'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.59'
                   or $uri = '2.16.840.1.113883.6.59'">http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#</xsl:when>
      <xsl:when test="$uri = 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=vg'">http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=vg#</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
